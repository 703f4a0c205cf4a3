// Enforces the NetworkPolicies of one node with kube-router's controller for them, through iptables and sets of addresses. The
// upstream program has a router and a load balancer too.
package main

import (
	"flag"
	"os/signal"
	"sync"
	"syscall"

	"context"

	"github.com/cloudnativelabs/kube-router/v2/pkg/controllers/netpol"
	"github.com/cloudnativelabs/kube-router/v2/pkg/healthcheck"
	"github.com/cloudnativelabs/kube-router/v2/pkg/options"
	"k8s.io/client-go/informers"
	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/tools/cache"
	"k8s.io/client-go/tools/clientcmd"
	"k8s.io/klog/v2"
)

func main() {
	kubeconfig := flag.String("kubeconfig", "", "the client of the API server")
	config := options.NewKubeRouterConfig()
	flag.StringVar(&config.HostnameOverride, "node", "", "the name of the node")
	flag.StringVar(&config.ClusterIPCIDRs[0], "service-range", config.ClusterIPCIDRs[0], "the addresses of Services")
	flag.Parse()
	config.EnableIPv4 = true

	ctx, stop := signal.NotifyContext(context.Background(), syscall.SIGINT, syscall.SIGTERM)
	defer stop()
	if err := run(ctx, *kubeconfig, config); err != nil {
		klog.Fatal(err)
	}
}

func run(ctx context.Context, kubeconfig string, config *options.KubeRouterConfig) error {
	client, err := clientcmd.BuildConfigFromFlags("", kubeconfig)
	if err != nil {
		return err
	}
	clientset, err := kubernetes.NewForConfig(client)
	if err != nil {
		return err
	}
	factory := informers.NewSharedInformerFactory(clientset, 0)
	pods := factory.Core().V1().Pods().Informer()
	namespaces := factory.Core().V1().Namespaces().Informer()
	policies := factory.Networking().V1().NetworkPolicies().Informer()

	commands, sets, err := netpol.NewIPTablesHandlers(config)
	if err != nil {
		return err
	}
	controller, err := netpol.NewNetworkPolicyController(clientset, config, pods, policies, namespaces, &sync.Mutex{}, commands, sets)
	if err != nil {
		return err
	}
	handlers := map[cache.SharedIndexInformer]cache.ResourceEventHandler{
		pods:       controller.PodEventHandler,
		namespaces: controller.NamespaceEventHandler,
		policies:   controller.NetworkPolicyEventHandler,
	}
	for informer, handler := range handlers {
		if _, err := informer.AddEventHandler(handler); err != nil {
			return err
		}
	}
	factory.Start(ctx.Done())
	factory.WaitForCacheSync(ctx.Done())

	// The controller reports that it lives and waits until the report is taken.
	heartbeats := make(chan *healthcheck.ControllerHeartbeat)
	go func() {
		for range heartbeats {
		}
	}()
	var group sync.WaitGroup
	group.Add(1)
	controller.Run(heartbeats, ctx.Done(), &group)
	group.Wait()
	return nil
}

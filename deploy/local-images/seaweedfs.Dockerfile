# SeaweedFS alone, a static program: the S3 API of deploy/cluster.
FROM scratch
COPY ca-certificates.crt /etc/ssl/certs/ca-certificates.crt
COPY weed /usr/local/bin/weed
ENV PATH=/usr/local/bin
USER 65532:65532
CMD ["weed"]

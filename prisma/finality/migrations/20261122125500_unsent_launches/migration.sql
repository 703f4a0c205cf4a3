-- CreateTable
CREATE TABLE "unsent_launches" (
    "launch_id" UUID NOT NULL,
    "router" CHAR(42) NOT NULL,
    "onchain_launch_id" CHAR(66) NOT NULL,
    "search_from" BIGINT NOT NULL,

    CONSTRAINT "unsent_launches_pkey" PRIMARY KEY ("launch_id")
);

-- CreateIndex
CREATE INDEX "unsent_launches_router_onchain_launch_id_idx" ON "unsent_launches"("router", "onchain_launch_id");

-- CreateTable
CREATE TABLE "work_place" (
    "owner" TEXT NOT NULL,
    "ends_at" TIMESTAMPTZ(6)[],

    CONSTRAINT "work_place_pkey" PRIMARY KEY ("owner")
);


-- What Prisma cannot say.

-- Work under way ends with the server that it runs beside: nothing here has to outlive a crash.
ALTER TABLE "work_place" SET UNLOGGED;

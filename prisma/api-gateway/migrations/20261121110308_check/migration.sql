-- DropIndex
DROP INDEX "finalized_record_image";


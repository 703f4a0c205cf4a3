-- The relay looks again at reviews that were started, until they end: then `relay_after` is infinity.
DROP INDEX "module_submission_unstarted";
CREATE INDEX "module_submission_due" ON "module_submission" ("relay_after");

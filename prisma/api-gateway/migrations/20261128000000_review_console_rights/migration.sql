-- Rights of the review console (docs/adr/0063-reviewer-listener-and-wallet-signatures.md), where a deployment made its role
-- before this migration. Without the role the console enters as the gateway does.
DO $$
BEGIN
  IF EXISTS (SELECT FROM pg_roles WHERE rolname = 'launch_review_console') THEN
    GRANT SELECT ON "credential", "module_submission", "module_review", "module_review_readiness" TO "launch_review_console";
    GRANT SELECT, INSERT, UPDATE ON "rate_bucket" TO "launch_review_console";
  END IF;
END $$;

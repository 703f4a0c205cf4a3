import { PageHeader } from '../../ui/page.js';

export default function SubmissionPage() {
  return <PageHeader title="Submission" />;
}

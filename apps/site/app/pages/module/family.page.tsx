import { PageHeader } from '../../ui/page.js';

export default function FamilyPage() {
  return <PageHeader title="Module family" />;
}

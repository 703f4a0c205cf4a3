/** Answers every address without a page. */
export function loader(): never {
  // React Router shows the boundary of the root for a thrown response.
  throw new Response('not found', { status: 404 });
}

export default function NotFoundPage() {
  return null;
}

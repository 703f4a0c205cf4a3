/**
 * Returns the decoded length of a base64 text by its length and padding; null if padded base64 cannot have that length.
 */
export function paddedLength(text: string): number | null {
  if (text.length % 4 !== 0) return null;
  const padding = text.endsWith('==') ? 2 : text.endsWith('=') ? 1 : 0;
  return (text.length / 4) * 3 - padding;
}

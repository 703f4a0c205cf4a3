/** How many bytes a text of base64 stands for by its length and its padding; null for a length that padded base64 has not. */
export function paddedLength(text: string): number | null {
  if (text.length % 4 !== 0) return null;
  const padding = text.endsWith('==') ? 2 : text.endsWith('=') ? 1 : 0;
  return (text.length / 4) * 3 - padding;
}

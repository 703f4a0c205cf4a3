import { IMAGE_LIMITS, ImageRefusal } from './image.types.js';

/** Refuses sides and areas outside the bounds. */
export function requireSize(width: number, height: number, offset: number): void {
  const { minSide, maxSide, pixels } = IMAGE_LIMITS;
  if (Math.min(width, height) < minSide || Math.max(width, height) > maxSide)
    throw new ImageRefusal('side-out-of-range', offset);
  if (width * height > pixels) throw new ImageRefusal('too-many-pixels', offset);
}

/** Photographs as they are kept and sent: no larger than a screen shows, and without the place where they were taken. */

/** The longest side, in pixels. */
const LONGEST = 2_560
const QUALITY = 0.9
const MADE_SMALLER = /^image\/(jpeg|png|webp|heic|heif|avif)$/

/** The size of a picture whose longest side is at most that long. */
export function sizeWithin(width: number, height: number, longest = LONGEST): { width: number; height: number } {
  const factor = Math.min(1, longest / Math.max(width, height))
  return { width: Math.max(1, Math.round(width * factor)), height: Math.max(1, Math.round(height * factor)) }
}

/** The name of a picture that became a JPEG. */
export const jpegName = (name: string): string => `${name.replace(/\.[^.]*$/, '')}.jpg`

async function scaleDown(picture: ImageBitmap, type: string): Promise<Blob | null> {
  const { width, height } = sizeWithin(picture.width, picture.height)
  const canvas =
    typeof OffscreenCanvas === 'function'
      ? new OffscreenCanvas(width, height)
      : Object.assign(document.createElement('canvas'), { width, height })
  const context = canvas.getContext('2d') as OffscreenCanvasRenderingContext2D | CanvasRenderingContext2D | null
  if (!context) return null
  context.imageSmoothingQuality = 'high'
  context.drawImage(picture, 0, 0, width, height)
  if (canvas instanceof HTMLCanvasElement) return new Promise((resolve) => canvas.toBlob(resolve, type, QUALITY))
  return canvas.convertToBlob({ type, quality: QUALITY })
}

/**
 * The photograph upright, with at most 2,560 pixels on its longest side. A picture with exact colours (PNG) stays one, and one of
 * that size stays as it is. What the browser cannot read stays as it is, too.
 */
export async function photoOf(file: File): Promise<{ bytes: Blob; name: string }> {
  const same = { bytes: file, name: file.name }
  if (!MADE_SMALLER.test(file.type)) return same
  const isExact = file.type === 'image/png'
  try {
    const picture = await createImageBitmap(file, { imageOrientation: 'from-image' })
    try {
      if (isExact && Math.max(picture.width, picture.height) <= LONGEST) return same
      const type = isExact ? 'image/png' : 'image/jpeg'
      const bytes = await scaleDown(picture, type)
      if (bytes?.type !== type || bytes.size === 0) return same
      return { bytes, name: file.type === type ? file.name : jpegName(file.name) }
    } finally {
      picture.close()
    }
  } catch {
    return same
  }
}

import { encode } from 'uqr'

/** A QR code as one path in a square whose sides have this many units, with its margin. */
export function qrCode(text: string): { size: number; path: string } {
  const { data, size } = encode(text, { border: 4 })
  const path = data.flatMap((row, y) => row.flatMap((isDark, x) => (isDark ? [`M${x} ${y}h1v1h-1z`] : []))).join('')
  return { size, path }
}

/** The same as an SVG image, to be saved or printed. */
export function qrImage(text: string): string {
  const { size, path } = qrCode(text)
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${size} ${size}"><rect width="${size}" height="${size}" fill="#fff"/><path d="${path}" fill="#000"/></svg>`
}

/** The QR code is not among the components, so that only pages that show one load the encoder. */
export { Qr } from './qrCode'

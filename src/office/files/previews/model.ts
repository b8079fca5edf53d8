import { shape, text, type ValueOf, withDescription } from '#wire/schema'

export const Preview = shape('FilePreview', {
  url: withDescription('Shows the rendering in a browser, for an hour.', text(1, 5000)),
  mimeType: withDescription('That of the rendering: text/html, application/pdf or an image.', text(1, 200)),
})
export type Preview = ValueOf<typeof Preview>

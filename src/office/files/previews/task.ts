/** The input of the process that renders a document, and what it answers: plain JSON. */
import { oneOf, shape, text, type ValueOf } from '#wire/schema'
import { previewKinds } from './kinds'

export const PreviewTask = shape({
  storedName: text(1, 200),
  title: text(0, 10_000),
  kind: oneOf(...previewKinds),
})
export type PreviewTask = ValueOf<typeof PreviewTask>

/** A page, the bytes of a PDF in base64, or the type of an image, which is shown as it is. */
export type RenderResult = { html: string } | { pdf: string } | { image: string }

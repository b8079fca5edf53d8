/** The inputs and results of the threads that write signed PDFs: plain JSON. */
import { ConsentInput } from '#conduct/consents/model'
import { id, orNull, shape, text, type ValueOf, whole } from '#wire/schema'

export const SignTask = shape({
  session: id(),
  /** When it was signed, in microseconds. */
  at: whole(),
  input: ConsentInput,
  /** What the browser says of the device on which it is signed, if it is signed in person. */
  device: orNull(text(0, 300)),
  /** The name of the file among the exports. */
  file: text(1, 200),
})
export type SignTask = ValueOf<typeof SignTask>

export const CountersignTask = shape({
  consent: id(),
  at: whole(),
  user: id(),
  userName: text(0, 1000),
  file: text(1, 200),
})
export type CountersignTask = ValueOf<typeof CountersignTask>

export type PdfResult = { bytes: number; sha256: string }

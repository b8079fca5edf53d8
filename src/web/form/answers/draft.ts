/** Where the answers of a form are until they are sent. The form knows no more of it, so that it serves every front end. */
import type { DraftPart, KeptFile, SubmissionFeedback, SubmissionResult } from './model'

/** The draft of a form, while the form is open. */
export type FormDraft = {
  /** What is kept from before; undefined if there is nothing. */
  kept: DraftPart | undefined
  /** Another tab has this form open. */
  isReadOnly: boolean
  /** Keeps the answers as they are now. */
  keep(part: DraftPart): void
  /** Keeps the bytes of a file. The answer refers to it until it is sent. */
  keepFile(bytes: Blob, name: string): Promise<KeptFile>
  /** The bytes of a file of this draft. */
  fileOf(kept: KeptFile): Promise<Blob | undefined>
  /** Begins afresh. */
  discard(): Promise<void>
  /** Sends the answers that were kept last. @param title the name of the form @param feedback what the form shows after the submission */
  send(title: string, feedback: SubmissionFeedback): Promise<SubmissionResult & { entry?: string }>
  /** Lets other tabs have the form. Changes are kept. */
  close(): void
}

/** Opens the draft of a form. Each front end has its own: the database of a device, the page behind a link, the memory. */
export type OpenDraft = (form: string) => Promise<FormDraft>

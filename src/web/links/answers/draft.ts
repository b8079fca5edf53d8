/** Answers that are being given behind a link. They stay in the page until they are sent. */
import type { FormDraft } from '#web/form/answers/draft'
import { type Answers, memoryDraft } from '#web/form/answers/memoryDraft'
import type { SubmissionFeedback, SubmissionResult } from '#web/form/answers/model'

/** @param answers those to begin with: what the server refused after the page was opened again @param send sends the answers as they are then */
export const linkDraft = (
  answers: Answers | undefined,
  send: (answers: Answers, feedback: SubmissionFeedback) => Promise<SubmissionResult>,
): FormDraft =>
  memoryDraft({
    answers,
    send,
    files: {
      keep: async (bytes, name) => (await import('./files')).holdFile(bytes, name.toWellFormed()),
      read: async (kept) => (await import('./files')).bytesOf(kept),
    },
  })

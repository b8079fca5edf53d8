/** Answers that are being given. They stay in the page, so that the next person who opens the link on this device does not see them. */
import type { OpenDraft } from '#web/participant/device/drafts'
import type { Draft, SubmissionFeedback, SubmissionResult } from '#web/participant/device/model'
import type { Answers } from './pendingEntries'

export type PageDraft = OpenDraft & {
  /** The answers as they are now. */
  latest(): Answers
}

/** @param send sends the answers as they are then */
export function pageDraft(
  send: (answers: Answers, feedback: SubmissionFeedback) => Promise<SubmissionResult>,
): PageDraft {
  let answers: Answers = {}
  return {
    draft: undefined,
    latest: () => answers,
    isReadOnly: false,
    keep: (part) => {
      answers = part.answers
    },
    keepFile: async (bytes, name) => (await import('./files')).holdFile(bytes, name.toWellFormed()),
    fileOf: async (kept) => (await import('./files')).bytesOf(kept),
    async discard() {
      answers = {}
    },
    send: (_, feedback) => send(answers, feedback),
    close() {},
  }
}

/** Answers with which a form begins: those that the server refused after the page was opened again. */
export const initialDraft = (answers: Answers): Draft => ({
  ...{ who: '', occurrence: '', version: '', opened: '', screen: 0, keptAt: '' },
  answers,
})

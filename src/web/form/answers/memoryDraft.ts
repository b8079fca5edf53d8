/**
 * A draft in the memory of the page: nothing of it is left when the page is closed. Previews have it; and links, so that the next person
 * who opens the link on this device does not see the answers.
 */
import { newId } from '#web/kit/storage/ids'
import type { FormDraft } from './draft'
import type { DraftPart, KeptAnswer, KeptFile, SubmissionFeedback, SubmissionResult } from './model'

export type Answers = Readonly<Record<string, KeptAnswer>>

type FileStore = {
  keep(bytes: Blob, name: string): Promise<KeptFile>
  read(kept: KeptFile): Promise<Blob | undefined>
}

type Options = {
  /** Answers to begin with. */
  answers?: Answers | undefined
  /** Sends the answers as they are then. A preview sends nothing. */
  send?(answers: Answers, feedback: SubmissionFeedback): Promise<SubmissionResult>
  /** Where files are. */
  files?: FileStore
}

const sendNothing = async (): Promise<SubmissionResult> => ({ kind: 'stored', postSubmissionText: null, messages: [] })

function memoryFiles(): FileStore {
  const held = new Map<string, Blob>()
  return {
    async keep(bytes, name) {
      const blob = newId()
      held.set(blob, bytes)
      return { blob, name: name.toWellFormed(), type: bytes.type, size: bytes.size }
    },
    read: async ({ blob }) => held.get(blob),
  }
}

export function memoryDraft({ answers, send = sendNothing, files = memoryFiles() }: Options = {}): FormDraft {
  let part: DraftPart | undefined = answers && { answers, screen: 0, version: '', opened: '' }
  return {
    get kept() {
      return part
    },
    isReadOnly: false,
    keep: (now) => {
      // From the first screen: the one that was shown last may be what could not be shown.
      part = { ...now, screen: 0 }
    },
    keepFile: files.keep,
    fileOf: files.read,
    async discard() {
      part = undefined
    },
    send: (_, feedback) => send(part?.answers ?? {}, feedback),
    close() {},
  }
}

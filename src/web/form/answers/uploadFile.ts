/** Sends one file to the server, which says where it goes. A file that has begun goes on, also under another address. */

import { localPath } from '#web/kit/api/localPath'
import { type Answer, type FailedAnswer, inLanguage } from '#web/kit/api/send'
import type { Language } from '#web/kit/language/languages'
import { type Address, PART_SIZE, sendBytes } from './sendFile'

/** What became of the file; `stopped` has the answer that stopped it. */
export type UploadOutcome =
  | { kind: 'done'; fileName: string }
  | { kind: 'gone' }
  | { kind: 'stopped'; answer: FailedAnswer }

type UploadOptions = {
  bytes: Blob
  /** In which a refusal is said. */
  language: Language
  /** Where it goes, if that was said before. */
  begun: Address | undefined
  /** Asks where the bytes can be sent. @param begun the name of an upload that goes on */
  ask(begun: string | undefined): Promise<Answer<Address>>
  /** Notes where a large file goes. */
  keep(address: Address): Promise<void>
  /** The share that has left the device, from 0 to 1. */
  onProgress(share: number): void
}

/** The MIME type under which a file is sent. */
export const typeOf = ({ type }: Blob): string => type || 'application/octet-stream'

/** How often another address is asked for while a file is sent. */
const MOST_ADDRESSES = 3

/** An answer that says nothing about the file: it is sent again later. */
const retryLater = (status: number): FailedAnswer => ({ isDone: false, status, message: '', fields: {}, details: {} })

const stoppedBy = (answer: FailedAnswer): UploadOutcome => ({ kind: 'stopped', answer })

/** Sends a file. What has arrived before counts. */
export async function uploadFile({
  bytes,
  language,
  begun: first,
  ask,
  keep,
  onProgress,
}: UploadOptions): Promise<UploadOutcome> {
  let [address, begun] = [first, first?.fileName]
  for (let asked = 0; ; ) {
    if (!address) {
      if (++asked > MOST_ADDRESSES) return stoppedBy(retryLater(0))
      const answer = await ask(begun)
      if (!answer.isDone) {
        // The server does not know the upload any more: it begins anew.
        if (begun === undefined || answer.status !== 404 || !answer.isRefusal) return stoppedBy(answer)
        begun = undefined
        continue
      }
      address = answer.body
      if (bytes.size > PART_SIZE) await keep(address)
    }
    const hasBegun = begun === address.fileName
    const outcome = await sendBytes(
      bytes,
      { fileName: address.fileName, signedRequestURL: localPath(address.signedRequestURL), type: typeOf(bytes) },
      hasBegun,
      onProgress,
    )
    if (outcome.kind === 'done') return { kind: 'done', fileName: address.fileName }
    if (outcome.kind === 'gone') return { kind: 'gone' }
    if (outcome.kind === 'refused') {
      const { status, message, details } = outcome
      return stoppedBy(await inLanguage({ ...retryLater(status), message, details, isRefusal: true }, language))
    }
    if (outcome.kind === 'later') return stoppedBy(retryLater(outcome.status))
    ;[address, begun] = [undefined, bytes.size > PART_SIZE ? address.fileName : undefined]
  }
}

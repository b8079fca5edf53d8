/** Consents in a study record (docs/exports.md, "Study records"). */
import { eventsOf, sessionById, verificationsOf } from '#conduct/consents/store'
import type { Db } from '#db/open'
import type { Id } from '#kernel/id'
import { type Instant, instantText } from '#kernel/time'
import { consentsUntil } from './consentStore'

const moment = (at: Instant | null) => (at === null ? null : instantText(at))

/**
 * The consents with their course and the verified addresses as JSON, one piece for each. Call it within a transaction.
 * @param files takes the stored names of signed PDFs, photos and countersignatures
 */
export function* consentsText(db: Db, trial: Id, until: Instant, files: Set<string>): Generator<string> {
  let separator = ''
  yield '{"consents":['
  for (const row of consentsUntil(db, trial, until)) {
    const { salt: _, codeNumber: __, codeMessage: ___, ...kept } = row
    const documents = row.erasedAt === null ? [row.file, row.photo, row.countersignedFile] : []
    for (const file of documents) if (file !== null) files.add(file)
    const { witness = null, present = null } = sessionById(db, row.session) ?? {}
    const content = {
      ...kept,
      ...{ witness, present },
      createdAt: instantText(row.createdAt),
      ...{ boundAt: moment(row.boundAt), codeUsedAt: moment(row.codeUsedAt) },
      ...{ withdrawnAt: moment(row.withdrawnAt), countersignedAt: moment(row.countersignedAt) },
      erasedAt: moment(row.erasedAt),
      verified: verificationsOf(db, row.session)
        .filter(({ verifiedAt }) => verifiedAt !== null)
        .map(({ method, address, verifiedAt }) => ({ method, address, verifiedAt: moment(verifiedAt) })),
      events: eventsOf(db, row.session).map(({ createdAt, type, content }) => ({
        ...{ createdAt: instantText(createdAt), type, content },
      })),
    }
    yield `${separator}\n${JSON.stringify(content)}`
    separator = ','
  }
  yield '\n]}'
}

/** What the page says with which the study team countersigns a consent. */
import { consentById } from '#conduct/consents/consentStore'
import { formById } from '#conduct/consents/store'
import { formName } from '#conduct/consents/views'
import type { Db } from '#db/open'
import { writerOf } from '#design/trials/notices'
import { trialById } from '#design/trials/store'
import { refuse } from '#kernel/problem'
import { instantText } from '#kernel/time'
import { type PdfContent, TEXT } from './content'
import type { CountersignTask } from './task'

/** The page names the signed document by its hash. @throws 404 if the consent was deleted */
export function countersignatureOf(db: Db, task: CountersignTask): PdfContent {
  const consent = consentById(db, task.consent)
  const form = consent && formById(db, consent.form)
  const trial = consent && trialById(db, consent.trial)
  if (!consent || !form || !trial) throw refuse.missing('consent')
  const { write, moment } = writerOf(trial, null)
  const { _id, fileHash, version, fullName } = consent
  const [name, when] = [task.userName, moment(task.at, 'UTC')]
  const line = (text: string) => ({ as: 'text' as const, text, depth: 0 })
  return {
    title: `${write('consentPdf.countersignature', {})}: ${trial.name}`,
    about: `${formName(form)} · ${when} UTC`,
    unprintable: write('consentPdf.unprintable', { file: TEXT }),
    parts: [
      line(write('consentPdf.countersigned', { name, when })),
      ...(fullName === null ? [] : [line(write('consentPdf.name', { name: fullName }))]),
      line(write('consentPdf.signedAt', { when: moment(consent.createdAt, 'UTC') })),
      line(write('consentPdf.document', { hash: fileHash })),
    ],
    data: {
      ...{ format: 1, consent: _id, form: form._id, version, document: fileHash },
      ...{ countersignedAt: instantText(task.at), user: task.user, name },
    },
  }
}

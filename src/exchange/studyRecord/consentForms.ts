import type { Db } from '#db/open'
import { consentFormsOf, versionOf, versionsOf } from '#design/consentForms/store'
import type { Id } from '#kernel/id'
import { found } from '#kernel/problem'
import { instantText } from '#kernel/time'

/** All versions of the trial's consent forms as JSON, one piece for each version. Call it within a transaction. */
export function* consentFormsText(db: Db, trial: Id): Generator<string> {
  let separator = ''
  yield '{"versions":['
  for (const { _id, formKey, name } of consentFormsOf(db, trial).reverse()) {
    for (const { number } of versionsOf(db, _id).reverse()) {
      const version = found(versionOf(db, _id, number), 'trial')
      yield `${separator}\n${JSON.stringify({ ...version, formKey, name, createdAt: instantText(version.createdAt) })}`
      separator = ','
    }
  }
  yield '\n]}'
}

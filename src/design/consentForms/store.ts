import type { Db } from '#db/open'
import { deleteById, insert, rowsWhere, rowWhere, updateById } from '#db/rows'
import { type ConsentContent, consentForms, consentFormVersions } from '#db/tables/index'
import { type Id, sha256 } from '#kernel/id'
import { canonicalJson } from '#kernel/json'
import type { Instant } from '#kernel/time'

type FormRow = typeof consentForms.$inferSelect
type VersionRow = typeof consentFormVersions.$inferSelect
/** A form with the content of its newest version. */
export type ConsentForm = FormRow & ConsentContent

/** The content of a version; undefined if the form has no such version. */
export const versionOf = (db: Db, form: Id, number: number): VersionRow | undefined =>
  rowWhere(db, consentFormVersions, { form, number })

/** The versions of a form without their content, newest first. */
export const versionsOf = (db: Db, form: Id): Omit<VersionRow, 'content'>[] =>
  db.$client
    .query<Omit<VersionRow, 'content'>, [{ form: Id }]>(
      `SELECT form, number, createdAt, createdBy, hash FROM consentFormVersions WHERE form = +$form ORDER BY number DESC`,
    )
    .all({ form })

/** The content of a form's newest version. */
export function contentOf(db: Db, { _id, version }: Pick<FormRow, '_id' | 'version'>): ConsentContent {
  const row = versionOf(db, _id, version)
  if (!row) throw new Error(`The consent form ${_id} has no version ${version}.`)
  return row.content
}

/** The consent forms of a trial, newest first. */
export const consentFormsOf = (db: Db, trial: Id): ConsentForm[] =>
  rowsWhere(db, consentForms, { trial }, '_id')
    .reverse()
    .map((form) => ({ ...form, ...contentOf(db, form) }))

/** The keys of the trial's forms. */
export const formKeysOf = (db: Db, trial: Id): string[] =>
  rowsWhere(db, consentForms, { trial }).map(({ formKey }) => formKey)

/** The form of a key, without regard to case. */
export const formByKey = (db: Db, trial: Id, formKey: string): { _id: Id } | null =>
  db.$client
    .query<{ _id: Id }, [{ trial: Id; formKey: string }]>(
      'SELECT _id FROM consentForms WHERE trial = +$trial AND formKey = $formKey COLLATE NOCASE',
    )
    .get({ trial, formKey })

type ChangeAuthor = { now: Instant; user: Id }

const insertVersion = (db: Db, form: Id, number: number, content: ConsentContent, { now, user }: ChangeAuthor) =>
  insert(db, consentFormVersions, {
    ...{ form, number, content, createdAt: now, createdBy: user, hash: sha256(canonicalJson(content)) },
  })

export function insertConsentForm(
  db: Db,
  form: Omit<typeof consentForms.$inferInsert, 'version' | 'createdAt' | 'updatedAt'>,
  content: ConsentContent,
  by: ChangeAuthor,
): ConsentForm {
  const row = insert(db, consentForms, { ...form, version: 1, createdAt: by.now, updatedAt: by.now })
  insertVersion(db, row._id, 1, content, by)
  return { ...row, ...content }
}

/** Changes a form. A change of the content makes a new version. @param asksAgain who signed an earlier version signs again; @param blocks before they can go on */
export function changeConsentForm(
  db: Db,
  form: ConsentForm,
  fields: Partial<Pick<FormRow, 'formKey' | 'name' | 'notificationEmail' | 'withdrawalEmail'>>,
  content: ConsentContent,
  { asksAgain, blocks }: { asksAgain: boolean; blocks: boolean },
  by: ChangeAuthor,
): ConsentForm {
  const isNew = canonicalJson(content) !== canonicalJson(contentOf(db, form))
  const version = form.version + (isNew ? 1 : 0)
  if (isNew) insertVersion(db, form._id, version, content, by)
  const reconsentFrom = asksAgain ? version : form.reconsentFrom
  const blocksFrom = blocks ? version : form.blocksFrom
  const change = { ...fields, version, reconsentFrom, blocksFrom, updatedAt: by.now }
  const row = updateById(db, consentForms, form._id, change)
  return { ...row, ...content }
}

export const deleteConsentForm = (db: Db, _id: Id): number => deleteById(db, consentForms, _id)

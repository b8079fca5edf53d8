import { integer, json, key, moment, primaryKey, table, text } from './columns'

export const consentForms = table('consentForms', () => ({
  _id: key(),
  createdAt: moment().notNull(),
  updatedAt: moment().notNull(),
  trial: text().notNull(),
  formKey: text().notNull(),
  name: text(),
  /** Addresses that get an e-mail about each consent and each withdrawal. */
  notificationEmail: text(),
  withdrawalEmail: text(),
  /** The number of the newest version. */
  version: integer().notNull(),
  /** Who signed a version before this one is asked to sign again. */
  reconsentFrom: integer(),
  consentCount: integer().notNull().default(0),
  /** Who signed a version before this one cannot go on where the form is required, until they have signed a newer one. */
  blocksFrom: integer(),
}))

/** What a person reads and is asked, in one version of a consent form. */
export type ConsentContent = {
  /** HTML that may be shown. */
  document: string
  eligibilityCriteria: string | null
  conditions: { id: string; title: string; description: string | null; optional: boolean; requiresInitials: boolean }[]
  verificationMethods: ('email' | 'phone' | 'whatsapp')[]
  requiredVerificationMethods: ('email' | 'phone' | 'whatsapp')[]
  identityVerificationEnabled: boolean
  connectContactDetails: boolean
  postConsentText: string | null
  postConsentStage: string | null
  postConsentStageButtonLabel: string | null
  postSubmissionText: string | null
  readToEnd: boolean
  signatureMethods: ('drawn' | 'typed')[]
  /** `correct`: the place of the right option, from 0. */
  quiz: { question: string; options: string[]; correct: number; explanation: string | null }[]
  requiresCountersignature: boolean
}

export const consentFormVersions = table(
  'consentFormVersions',
  () => ({
    form: text().notNull(),
    number: integer().notNull(),
    createdAt: moment().notNull(),
    createdBy: text().notNull(),
    content: json<ConsentContent>().notNull(),
    /** SHA-256 of the content as JSON with sorted keys. */
    hash: text().notNull(),
  }),
  (t) => [primaryKey({ columns: [t.form, t.number] })],
)

/** The texts of all languages, and what the keys of the catalogue mean to those who use it (docs/messages.md, "Languages"). */

import type { CountedKeyOf, PlaceholderIn } from '#kernel/template'
import { de } from './de'
import { type Catalogue, en, type TextKey } from './en'
import { es } from './es'
import { fr } from './fr'

export type { TextKey } from './en'

/** Every language in which the catalogue is complete. English is the last resort. */
export const catalogues: Readonly<Record<string, Catalogue>> = { en, de, fr, es }
export const textKeys = Object.keys(en) as TextKey[]

/** A key without `.one` or `.other`. */
export type CountedKey = CountedKeyOf<TextKey>

/** The keys of a trial's texts: a trial can replace them. Those of accounts belong to no trial. */
export const trialKeys: readonly TextKey[] = textKeys.filter((key) => !key.startsWith('account.'))

/** The values that a text needs, by placeholder. */
export type TextValues<K extends TextKey> = Readonly<Record<PlaceholderIn<(typeof en)[K]>, string | number>>

/** The placeholders in a text, without braces, sorted. */
export const placeholdersIn = (text: string): string[] =>
  [...new Set([...text.matchAll(/\{(\w+)\}/g)].map(([, name]) => name!))].sort()

/** The placeholders without which a text has no purpose: a replacement must contain those that the original has. */
export const essentialPlaceholders: readonly string[] = ['url', 'code', 'forms', 'name', 'when']

/**
 * The texts that go out by SMS: the most parts that each may need in any language, with typical values. A part has 160
 * characters of the GSM alphabet (153 if there are several), or 70 (67) if one character is not in it.
 */
export const smsLimits: Partial<Record<TextKey, number>> = {
  'verificationCode.body': 1,
  'consentCode.body': 1,
  'pollNoConsent.body': 4,
  'signInLink.body': 2,
  'behindSchedule.body.one': 2,
  'behindSchedule.body.other': 3,
  'attachments.one': 2,
  'attachments.other': 2,
  'incentive.body': 2,
  'appointment.invitation.body': 2,
  'appointment.reminder.body': 2,
  'appointment.moved.body': 2,
  'appointment.cancelled.body': 2,
  'appointment.join': 1,
  'wearable.connect.body': 2,
  'wearable.reconnect.body': 2,
}

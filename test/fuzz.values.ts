/** Random valid values of a model, with the IDs of things that exist. */
import { Kind, type TSchema, TypeGuard } from '@sinclair/typebox'
import type { Random } from '#kernel/random'
import { everyFormat, goodAnswers } from './study'

/** What values refer to: the IDs that exist, by the name of the field or parameter that names them. */
export type ValueSources = {
  /** An `_id` of what this field or parameter names; one of anything if the name says nothing. */
  idFor(name: string): string
  /** The code of a data type; undefined if it is none of the study. */
  codeOf(dataType: string): string | undefined
  now: number
}

/** Texts for fields whose model does not say all that their rule asks. */
const textsByName: Readonly<Record<string, readonly string[]>> = {
  expression: ['pulse * 2', 'pulse + glucose / 2', 'if(pulse > 60, 1, 0)', 'unknown + 1', '1 / 0', 'round(pulse)', '('],
  pattern: ['[a-z]+', '^a*b$', '(a|b){2,5}', '(', '\\d{3}-\\d{2}', '(a+)+$'],
  phone: ['+49 30 901820', '+64 21 555 123', '030 901820'],
  whatsapp: ['+49 151 23456789', 'none'],
  code: ['000000', 'breath-study', 'newcode', 'pulse'],
  id: ['N1', 'S1', 'P-1', 'Q-7'],
  trialCode: ['breath-study'],
  participantId: ['P-1', 'P-2', 'Q-8', 'Q-9', 'Ü 12'],
  password: ['correct horse', 'harbour lantern 71', 'a long enough password'],
  currentPassword: ['harbour lantern 71'],
  type: ['application/pdf', 'image/png', 'text/csv; charset=utf-8', 'createGroup'],
  name: ['Report.pdf', 'Arm C', 'Visit 3', 'Ärzte', 'Olga', 'm'],
  permissions: ['trial.read', 'trial.write', 'trial.admin', 'site.readParticipants', 'group.write', 'site.admin'],
  pushToken: ['{"endpoint":"https://fcm.googleapis.com/fcm/send/a","keys":{"p256dh":"BA","auth":"c2VjcmV0"}}'],
  meaning: ['Reviewed', 'Approved'],
}

const zones = ['Europe/Berlin', 'Pacific/Auckland', 'America/St_Johns', 'UTC', 'Asia/Kathmandu', 'Pacific/Apia']
const days = ['1950-02-28', '2000-02-29', '2026-03-01', '1900-01-01', '2100-12-31']
const times = ['00:00', '09:30:00', '23:59:59', '24:00:00', '02:30:00']
const letters = [...'aeiou rstlnäß-.,;=\'"<>&%/\\\n\t≥😀']
const days30 = 30 * 86_400_000

/** A function that makes a random valid value of a model. */
export function valuesOf({ whole, chance, pick }: Random, { idFor, codeOf, now }: ValueSources) {
  /** A small number mostly, a bound of the model sometimes. */
  function wholeOf({ minimum = 0, maximum = 1_000_000 }: TSchema): number {
    if (chance(0.15)) return pick([minimum, maximum])
    return Math.min(maximum, minimum + (chance(0.8) ? whole(0, 5) : whole(0, 400)))
  }
  function textOf(name: string, { minLength = 0, maxLength = 200, pattern }: TSchema): string {
    const known = textsByName[name]?.filter(({ length }) => length >= minLength && length <= maxLength)
    if (known?.length && chance(0.8)) return pick(known)
    if (minLength === 24) return idFor(name)
    if (`${pattern}`.startsWith('^[\\w.+-]+/')) return pick(textsByName.type!.slice(0, 3))
    const least = Math.max(minLength, pattern ? 2 : 0)
    const length = chance(0.05)
      ? pick([least, Math.min(maxLength, 20_000)])
      : Math.min(maxLength, least + whole(0, chance(0.9) ? 12 : 300))
    const made = Array.from({ length }, () => pick(letters))
    return pattern && length ? `x${made.slice(2).join('')}y` : made.join('')
  }
  function moment(): string {
    if (chance(0.1)) return pick(['1900-01-01T00:00:00Z', '2100-01-01T00:00:00.123456Z', '2026-03-01T23:59:59+14:00'])
    return new Date(now + whole(-days30, days30)).toISOString()
  }
  const answerTo = (dataType: string): unknown => {
    const code = codeOf(dataType) ?? pick(everyFormat).code
    return chance(0.1) ? null : chance(0.1) ? pick(Object.values(goodAnswers)) : (goodAnswers[code] ?? 1)
  }
  /** Any value, where the model leaves it open: a number, a text, a list. */
  const open = (name: string): unknown =>
    pick([
      () => whole(-3, 90),
      () => pick(['a', '0', '1.5', 'Yes']),
      () => [whole(0, 4)],
      () => null,
      () => idFor(name),
    ])()

  function object(schema: TSchema, depth: number): Record<string, unknown> {
    const required = new Set<string>(schema.required ?? [])
    const fields = Object.entries<TSchema>(schema.properties).filter(([, field]) => field[Kind] !== 'Never')
    // One field, as in most changes, a few, or most of them.
    const share = pick([0, 0.15, 0.6])
    const one = share === 0 && fields.length ? pick(fields)[0] : undefined
    const made: Record<string, unknown> = {}
    for (const [name, field] of fields) {
      if (!required.has(name) && (depth > 5 || !(name === one || chance(share)))) continue
      made[name] = randomValue(name, field, depth + 1)
    }
    return made
  }
  /** Answers by data type, permissions by scope: an object keyed by IDs. */
  function record(name: string, schema: TSchema, depth: number): Record<string, unknown> {
    const [item] = Object.values<TSchema>(schema.patternProperties)
    const isAnswers = item !== undefined && 'value' in Object(item.properties)
    const entries = Array.from({ length: whole(0, 4) }, () => {
      const key = idFor(isAnswers ? 'dataType' : name)
      return [key, isAnswers ? { value: answerTo(key) } : randomValue(name, item!, depth + 1)] as const
    })
    return Object.fromEntries(entries)
  }
  function randomValue(name: string, schema: TSchema, depth = 0): unknown {
    if (TypeGuard.IsUnion(schema)) {
      const branches = schema.anyOf.filter((each) => each[Kind] !== 'Never')
      const values = branches.filter((each) => each[Kind] !== 'Null')
      return randomValue(name, pick(values.length && chance(0.85) ? values : branches), depth)
    }
    if (TypeGuard.IsRecord(schema)) return record(name, schema, depth)
    if (TypeGuard.IsObject(schema)) return object(schema, depth)
    if (TypeGuard.IsArray(schema)) {
      const most = Math.min(schema.maxItems ?? 10, chance(0.05) ? 60 : depth > 4 ? 1 : 3)
      return Array.from({ length: whole(Math.min(schema.minItems ?? 0, most), most) }, () =>
        randomValue(name, schema.items, depth + 1),
      )
    }
    switch (schema[Kind]) {
      case 'Null':
        return null
      case 'Literal':
        return schema.const
      case 'Boolean':
        return chance(0.5)
      case 'Integer':
        return wholeOf(schema)
      case 'Number':
        return chance(0.5) ? wholeOf(schema) : whole(0, 4000) / 10
      case 'Id':
        return idFor(name)
      case 'Instant':
        return moment()
      case 'Day':
        return pick(days)
      case 'TimeOfDay':
        return pick(times)
      case 'Zone':
        return pick(zones)
      case 'Language':
        return pick(['en', 'de', 'fr-CH', 'it'])
      case 'Email':
        return pick(['owner@example.org', 'new@example.org', `p${whole(0, 99)}@example.org`])
      case 'String':
        return textOf(name, schema)
      case 'Unknown':
        return open(name)
    }
    throw new Error(`The fuzz makes no values of ${schema[Kind]}, the kind of the field ${name}.`)
  }
  return randomValue
}

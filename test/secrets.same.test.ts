/** No byte of a response depends on values that the caller may not see. */
import { expect, test } from 'bun:test'
import type { Person } from './harness'
import { type Exchange, permissionFor, readEverything, words, writeEverything } from './secrets.exchanges'
import { all, otherwise, type SecretStudy, type Secrets, secretStudy } from './secrets.study'

/** The responses in a normal form, without differences between any two services: ids and tokens by their first appearance. */
function normalised(exchanges: readonly Exchange[]): string[] {
  const names = new Map<string, string>()
  const named = (random: string) => {
    if (!names.has(random)) names.set(random, `#${names.size}`)
    return names.get(random)!
  }
  const random = /[0-9a-f]{24,64}|(?<![\w-])[\w-]{43}(?![\w-])/g
  // Sizes of compressed data, and times of the machine's clock.
  const chance = /"content-length","\d+"|\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z/g
  return exchanges.map(({ request, text }) => `${request} ${text}`.replace(chance, '').replace(random, named))
}

type Caller = [string, (s: SecretStudy) => Person, Partial<Secrets>]
const { restricted: otherAnswers, pii: otherPii, personal: otherPeople } = otherwise
const on = (scope: 'trial' | 'site' | 'group', keys: string[]) => (s: SecretStudy) =>
  s.staff(
    s.trial,
    keys.map((key) => `${scope}.${key}`),
    s[scope],
  )
const allHidden = { restricted: otherAnswers, pii: otherPii, personal: otherPeople }

test.each<Caller>([
  ['a person who reads and writes on the trial', on('trial', words), allHidden],
  ['a person who reads and writes on the site', on('site', words), allHidden],
  ['a person who reads and writes in the group', on('group', words), allHidden],
  [
    'a person who sees restricted answers',
    on('trial', [...words, permissionFor.restricted]),
    { pii: otherPii, personal: otherPeople },
  ],
  [
    'a person who sees PII answers',
    on('trial', [...words, permissionFor.pii]),
    { restricted: otherAnswers, personal: otherPeople },
  ],
  [
    'a person who sees personal information',
    on('trial', [...words, permissionFor.personal]),
    { restricted: otherAnswers, pii: otherPii },
  ],
  ['a person who reads the log only', on('trial', ['readLogs']), allHidden],
  ['a person who exports only', on('trial', ['exportData', 'readParticipantStudyData']), allHidden],
  ['a participant', ({ itself }) => itself, { ...allHidden }],
])(
  '%s gets the same bytes whatever the hidden values are',
  async (_, person, change) => {
    const responses = async (secrets: Secrets) => {
      const s = await secretStudy(secrets)
      const somebody = person(s)
      return normalised([...(await readEverything(s, somebody)), ...(await writeEverything(s, somebody))])
    }
    const [one, other] = [await responses(all), await responses({ ...all, ...change })]
    const different = one.flatMap((text, at) => (text === other[at] ? [] : [differing(text, other[at]!)]))
    expect(different).toEqual([])
    expect(one.filter((text) => / 200 \[\[/.test(text)).length).toBeGreaterThan(5)
  },
  60_000,
)

/** The first difference of two texts, with its request. */
function differing(one: string, other: string): string {
  const at = [...one].findIndex((character, index) => character !== other[index])
  const around = (text: string) => text.slice(Math.max(0, at - 60), at + 60)
  return `${one.slice(0, 120)}: …${around(one)}… and …${around(other)}…`
}

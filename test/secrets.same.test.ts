/** Whoever may not see something hears the same whatever it is: not a byte of any answer depends on it. */
import { expect, test } from 'bun:test'
import type { Person } from './harness'
import { doAll, type Heard, hearAll, seeing, words } from './secrets.hearing'
import { all, otherwise, type Planted, plantedStudy, type Secrets } from './secrets.study'

/** The answers with what differs between any two services put in a common form: ids and tokens by their first appearance. */
function alike(heard: readonly Heard[]): string[] {
  const names = new Map<string, string>()
  const named = (random: string) => {
    if (!names.has(random)) names.set(random, `#${names.size}`)
    return names.get(random)!
  }
  const random = /[0-9a-f]{24,64}|(?<![\w-])[\w-]{43}(?![\w-])/g
  // How long what is packed is, and when by the clock of the machine it was.
  const chance = /"content-length","\d+"|\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z/g
  return heard.map(({ request, text }) => `${request} ${text}`.replace(chance, '').replace(random, named))
}

type Caller = [string, (s: Planted) => Person, Partial<Secrets>]
const { restricted: otherAnswers, pii: otherPii, personal: otherPeople } = otherwise
const on = (scope: 'trial' | 'site' | 'group', keys: string[]) => (s: Planted) =>
  s.staff(
    s.trial,
    keys.map((key) => `${scope}.${key}`),
    s[scope],
  )
const blindfold = { restricted: otherAnswers, pii: otherPii, personal: otherPeople }

test.each<Caller>([
  ['who reads and writes on the trial', on('trial', words), blindfold],
  ['who reads and writes on the site', on('site', words), blindfold],
  ['who reads and writes in the group', on('group', words), blindfold],
  ['who sees restricted answers', on('trial', [...words, seeing.restricted]), { pii: otherPii, personal: otherPeople }],
  ['who sees PII answers', on('trial', [...words, seeing.pii]), { restricted: otherAnswers, personal: otherPeople }],
  [
    'who sees personal information',
    on('trial', [...words, seeing.personal]),
    { restricted: otherAnswers, pii: otherPii },
  ],
  ['who reads the log only', on('trial', ['readLogs']), blindfold],
  ['who exports only', on('trial', ['exportData', 'readParticipantStudyData']), blindfold],
  ['who takes part', ({ itself }) => itself, { ...blindfold }],
])(
  '%s hears the same whatever is hidden: not a byte depends on it',
  async (_, person, change) => {
    const hearing = async (secrets: Secrets) => {
      const s = await plantedStudy(secrets)
      const somebody = person(s)
      return alike([...(await hearAll(s, somebody)), ...(await doAll(s, somebody))])
    }
    const [one, other] = [await hearing(all), await hearing({ ...all, ...change })]
    const different = one.flatMap((text, at) => (text === other[at] ? [] : [differing(text, other[at]!)]))
    expect(different).toEqual([])
    expect(one.filter((text) => / 200 \[\[/.test(text)).length).toBeGreaterThan(5)
  },
  60_000,
)

/** Where two texts part, with the request. */
function differing(one: string, other: string): string {
  const at = [...one].findIndex((character, index) => character !== other[index])
  const around = (text: string) => text.slice(Math.max(0, at - 60), at + 60)
  return `${one.slice(0, 120)}: …${around(one)}… and …${around(other)}…`
}

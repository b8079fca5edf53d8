/** No byte of a response depends on values that the caller may not see. */
import { expect, test } from 'bun:test'
import type { Person } from './harness'
import {
  differing,
  exchange,
  normalised,
  permissionFor,
  readEverything,
  words,
  writeEverything,
} from './secrets.exchanges'
import { all, otherwise, type SecretStudy, type Secrets, secretStudy } from './secrets.study'

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
      // After its first answer to a caller the service stores that it saw the caller, which later answers show.
      await exchange(s, somebody, 'GET', `/trials/${s.trial}`)
      await s.service.services.commit(() => {})
      return normalised([...(await readEverything(s, somebody)), ...(await writeEverything(s, somebody))])
    }
    const [one, other] = [await responses(all), await responses({ ...all, ...change })]
    const different = one.flatMap((text, at) => (text === other[at] ? [] : [differing(text, other[at]!)]))
    expect(different).toEqual([])
    expect(one.filter((text) => / 200 \[\[/.test(text)).length).toBeGreaterThan(5)
  },
  180_000,
)

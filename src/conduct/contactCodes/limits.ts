/** What a trial spends on codes: how many in a day, and to which countries (docs/polls.md, "Limits of codes"). */
import { trialAdmins } from '#accounts/teams/adminStore'
import { writerOf } from '#design/trials/notices'
import { settingsOf } from '#design/trials/rules'
import type { Trial } from '#design/trials/store'
import type { RequestContext } from '#http/operation'
import { dayText } from '#kernel/calendar'
import { refuse } from '#kernel/problem'
import { countryOf } from '#kernel/zoneCountries'
import { mailStaff } from '#outbox/messages'
import { type Method, requireAddress } from './addresses'
import { addCode, codesOn, markWarned } from './limitStore'

type Context = Pick<RequestContext, 'db' | 'now'> & { trial: Trial }

/** The countries to whose numbers codes are sent; undefined for all. */
export function countriesOf(trial: Pick<Trial, 'settings' | 'timezone'>): readonly string[] | undefined {
  const { codeCountries } = settingsOf(trial)
  const own = codeCountries ?? [countryOf(trial.timezone ?? 'UTC') ?? []].flat()
  return own.length ? own : undefined
}

/**
 * Refuses (400) a code to a telephone number of another country. Numbers of countries that share a prefix, such as those of North America,
 * are distinguished where the numbering plan distinguishes them. @param address in its stored form
 */
async function requireCountry(
  { trial }: { trial: Pick<Trial, 'settings' | 'timezone'> },
  method: Method,
  address: string,
): Promise<void> {
  const countries = method === 'email' ? undefined : countriesOf(trial)
  if (!countries) return
  const { getCountryCallingCode, isSupportedCountry, parsePhoneNumberFromString } = await import(
    'libphonenumber-js/min'
  )
  const number = parsePhoneNumberFromString(address)
  const isAmong = number?.country
    ? countries.includes(number.country)
    : countries.some((each) => isSupportedCountry(each) && getCountryCallingCode(each) === number?.countryCallingCode)
  if (!isAmong) throw refuse.bad('otherCountry', undefined, { countries })
}

/** The address of a request in its stored form. Refuses a text that is not an address (422), and a number of another country (400). */
export async function addressForCode(context: {
  trial: Pick<Trial, 'settings' | 'timezone'>
  body: { method: Method; address: string }
}): Promise<string> {
  const address = await requireAddress(context.body)
  await requireCountry(context, context.body.method, address)
  return address
}

/**
 * Counts a code of today, by the zone of the trial, and notifies the administrators when half of the allowed codes are sent.
 * @param isRefused whether a code beyond the most is refused: one that follows an address that was verified is sent all the same
 * @throws 400 if the most were sent
 */
export function countCode({ db, now, trial }: Context, isRefused = true): void {
  const { codesPerDay: most } = settingsOf(trial)
  const day = dayText(now, trial.timezone ?? 'UTC')
  const { count: before, isWarned } = codesOn(db, trial._id, day)
  if (isRefused && before >= most) throw refuse.bad('tooManyCodes', undefined, { codesPerDay: most })
  const count = addCode(db, trial._id, day)
  if (isWarned || count * 2 < most) return
  markWarned(db, trial._id, day)
  for (const admin of trialAdmins(db, trial._id)) {
    const { write } = writerOf(trial, admin.language)
    const about = { trial: trial.name }
    mailStaff(db, now, trial._id, admin, {
      subject: write('codesHalf.subject', about),
      body: write('codesHalf.body', { ...about, most }),
    })
  }
}

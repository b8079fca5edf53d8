/** `/calendar/<token>.ics`: the calendars behind secret links. They are outside the API, as calendar programs take no JSON. */
import { accessOf } from '#access/identify'
import { enabledUser } from '#access/store'
import { participantById } from '#conduct/participants/store'
import { rowById } from '#db/rows'
import { users } from '#db/tables/index'
import { trialById } from '#design/trials/store'
import { toResponse } from '#http/answer'
import type { Services } from '#http/services'
import { networkOf } from '#kernel/address'
import { refusalOf } from '#kernel/machine'
import { Problem, refuse } from '#kernel/problem'
import { participantCalendar, staffCalendar } from './feeds'
import { type CalendarLink, linkByToken } from './linkStore'

/** Responds to a request to `/calendar/*`. @param address of the client */
export type CalendarRoute = (request: Request, address: string | null) => Response | Promise<Response>

/** How often a calendar may be read per minute, and how many wrong links an address may try. */
const [READS, WRONG_LINKS] = [30, 60]

/** The calendar of a link; undefined if its owner may not see it any more. */
function calendarOf(services: Services, { trial: id, participant: own, user }: CalendarLink): string | undefined {
  const { db, clock } = services
  const trial = trialById(db, id)
  if (!trial || trial.deletedAt !== null) return undefined
  if (user !== null) {
    return enabledUser(db, user)
      ? staffCalendar(services, trial, user, accessOf(db, user).trials.get(id), clock.now())
      : undefined
  }
  const participant = own === null ? undefined : participantById(db, own)
  return participant && !participant.isArchived
    ? participantCalendar(services, trial, participant, clock.now())
    : undefined
}

/** Records that a calendar of a member of staff was read: it names participants. */
function recordRead({ db, clock, reads }: Services, { trial, user }: CalendarLink, address: string | null): void {
  if (user === null) return
  const account = rowById(db, users, user)
  const reader = { user, userEmail: account?.email ?? null, apiToken: null, address }
  reads.record({ trial, createdAt: clock.now(), operation: 'readCalendar', ...reader, about: { filter: {} } })
}

const TOKEN = /^\/calendar\/([\w-]{43})\.ics$/

/** Reads the calendar that a request asks for. @throws 404 for a wrong link, 429 for too many requests */
function read(services: Services, { url, method }: Request, address: string | null): string {
  const { limits, clock, db } = services
  const now = clock.now()
  const { pathname } = new URL(url)
  if (method !== 'GET' && method !== 'HEAD') throw refuse.unknownOperation(method, ['GET'])
  const failures = `failures of /calendar ${networkOf(address)}`
  limits.requireBelowLimit(failures, WRONG_LINKS, now)
  const [, token = ''] = TOKEN.exec(pathname) ?? []
  const link = linkByToken(db, token)
  if (link) limits.count(`/calendar ${link.hash}`, READS, now)
  const text = link && calendarOf(services, link)
  if (text !== undefined && link) {
    recordRead(services, link, address)
    return text
  }
  limits.addOne(failures, now)
  throw refuse.linkEnded()
}

/** Makes the function that responds to requests to `/calendar/*`. */
export const calendarRoute =
  (services: Services): CalendarRoute =>
  (request, address) => {
    try {
      const text = read(services, request, address)
      const headers = {
        'Content-Type': 'text/calendar; charset=utf-8',
        'Content-Disposition': 'inline; filename="calendar.ics"',
      }
      return toResponse(services, 200, new Response(request.method === 'HEAD' ? null : text, { headers }))
    } catch (reason) {
      if (!(reason instanceof Problem)) services.fault(reason, 'calendar')
      const { status, body, headers } = reason instanceof Problem ? reason : refusalOf(reason)
      return toResponse(services, status, body, headers)
    }
  }

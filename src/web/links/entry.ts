/** The pages that people reach by a link, without signing in. */
import type { FrontEnd } from '#web/kit/frontEnd'
import { rooms } from './rooms'

const script = 'links/links.tsx'

export const links: FrontEnd = {
  name: 'links',
  script,
  styles: ['links/links.css'],
  texts: ['form/lang', 'links/lang'],
  path: [rooms.review, rooms.meeting, rooms.poll, rooms.stage],
  budget: 30,
}

/** To consent, to withdraw, and to consent on a device of the study team. The script and the texts are those of the other links. */
export const consent: FrontEnd = {
  ...links,
  name: 'consent',
  styles: ['links/links.css', 'links/consent/consent.css'],
  path: [rooms.inPerson, rooms.withdraw, rooms.remote],
  budget: 33,
}

import type { RequestContext } from '#http/operation'
import { joinUrl, type LinkOwner } from './links'
import { joinWindow } from './rules'
import type { AppointmentRow } from './store'

export type ViewContext = Pick<RequestContext, 'services' | 'origin'>

/** A meeting with the link of its reader; without one if they do not take part. */
export const meetingView = (
  { services, origin }: ViewContext,
  { title, startsAt, ...rest }: AppointmentRow,
  reader: LinkOwner | undefined,
) => ({
  ...rest,
  name: title,
  startAt: startsAt,
  joinUrl: reader ? joinUrl(services.seal, origin, rest._id, reader) : null,
  ...joinWindow({ startsAt, duration: rest.duration }),
})

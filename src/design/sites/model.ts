import { sites } from '#db/tables/index'
import {
  email,
  id,
  instant,
  joinShapes,
  list,
  maybe,
  oneLine,
  oneOf,
  orNull,
  shape,
  text,
  whole,
  withDescription,
} from '#wire/schema'

const line = () => maybe(orNull(text(0, 200)))

/** See docs/decisions.md, "Sites and groups". */
export const SiteInput = shape('SiteInput', {
  name: oneLine(2, 100),
  id: withDescription(
    "The site's own identifier, used in exports. Unique in the trial, ignoring case and spaces around it.",
    oneLine(2, 100),
  ),
  description: maybe(orNull(text(0, 2000))),
  image: maybe(withDescription('Stored file name of an upload for the trial or the site.', orNull(text(1, 200)))),
  contactName: maybe(orNull(oneLine(0, 200))),
  contactEmail: maybe(orNull(email())),
  contactPhone: line(),
  addressLine1: line(),
  addressLine2: line(),
  addressCity: line(),
  addressPostCode: line(),
  addressCountry: line(),
  irb: maybe(orNull(oneOf(...sites.irb.enumValues))),
  approvalStatus: maybe(orNull(oneOf(...sites.approvalStatus.enumValues))),
  activityStatus: maybe(orNull(oneOf(...sites.activityStatus.enumValues))),
  enrolmentTarget: maybe(
    withDescription(
      'How many participants the site is to enrol; null if that is not planned.',
      orNull(whole(1, 1_000_000)),
    ),
  ),
})

export const Site = joinShapes(
  'Site',
  shape({
    _id: id(),
    createdAt: instant(),
    trial: id(),
    enrolled: withDescription(
      'Participants of the site who are not archived; null for accounts that may not see all of them.',
      orNull(whole(0)),
    ),
  }),
  SiteInput,
)

export const Sites = shape('Sites', { sites: list(Site) })

/** A participant's sites after a change of membership. */
export const Membership = shape('SiteMembership', { sites: list(id()) })

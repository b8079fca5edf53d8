import { sites } from '#db/tables/index'
import * as t from '#wire/schema'

const line = () => t.maybe(t.orNull(t.text(0, 200)))

/** See docs/decisions.md, "Sites and groups". */
export const SiteInput = t.shape('SiteInput', {
  name: t.oneLine(2, 100),
  id: t.withDescription(
    "The site's own identifier, used in exports. Unique in the trial, ignoring case and spaces around it.",
    t.oneLine(2, 100),
  ),
  description: t.maybe(t.orNull(t.text(0, 2000))),
  image: t.maybe(
    t.withDescription('Stored file name of an upload for the trial or the site.', t.orNull(t.text(1, 200))),
  ),
  contactName: t.maybe(t.orNull(t.oneLine(0, 200))),
  contactEmail: t.maybe(t.orNull(t.email())),
  contactPhone: line(),
  addressLine1: line(),
  addressLine2: line(),
  addressCity: line(),
  addressPostCode: line(),
  addressCountry: line(),
  irb: t.maybe(t.orNull(t.oneOf(...sites.irb.enumValues))),
  approvalStatus: t.maybe(t.orNull(t.oneOf(...sites.approvalStatus.enumValues))),
  activityStatus: t.maybe(t.orNull(t.oneOf(...sites.activityStatus.enumValues))),
  enrolmentTarget: t.maybe(
    t.withDescription(
      'How many participants the site is to enrol; null if that is not planned.',
      t.orNull(t.whole(1, 1_000_000)),
    ),
  ),
})

export const Site = t.joinShapes(
  'Site',
  t.shape({
    _id: t.id(),
    createdAt: t.instant(),
    trial: t.id(),
    enrolled: t.withDescription(
      'Participants of the site who are not archived; null for accounts that may not see all of them.',
      t.orNull(t.whole(0)),
    ),
  }),
  SiteInput,
)

export const Sites = t.shape('Sites', { sites: t.list(Site) })

/** A participant's sites after a change of membership. */
export const Membership = t.shape('SiteMembership', { sites: t.list(t.id()) })

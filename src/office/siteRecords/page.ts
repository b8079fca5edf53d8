import { maybe, oneOf, shape, whole, withDescription } from '#wire/schema'

/** The most entries in a page, and the default: few sites need a second page. */
export const PAGE = 1000

/** A page of a list. */
export const PageQuery = () =>
  shape({
    page: maybe(whole(1, 1_000_000)),
    perPage: maybe(withDescription(`The default is ${PAGE}.`, whole(1, PAGE))),
  })

/** A page of a log, or all of it as csv. */
export const PageOrCsv = () => shape({ ...PageQuery().properties, format: maybe(oneOf('json', 'csv')) })

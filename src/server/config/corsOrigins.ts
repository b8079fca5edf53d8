import { bareHost, isLoopback } from '#kernel/address'
import { fault } from '#kernel/fault'
import type { Option } from './options'

export const corsOption: Option = {
  flag: 'cors-origin',
  takes: 'origins',
  summary: 'other web addresses whose pages may use the API from a browser, separated by commas',
  env: 'TRIALBOX_CORS_ORIGIN',
  otherwise: 'none; any with --test',
}

/** Reads the origins of `--cors-origin`. @throws a fault for one that is not an origin, or whose pages others could change */
export function corsOriginsOf(text: string): readonly string[] {
  const origins = text.split(',').flatMap((origin) => origin.trim().replace(/\/$/, '') || [])
  for (const origin of origins) {
    const url = URL.parse(origin)
    if (url?.origin !== origin.toLowerCase() || !/^https?:$/.test(url.protocol))
      throw fault(
        `--cors-origin must be web addresses such as https://app.example.org, without a path, not "${origin}".`,
      )
    if (url.protocol === 'http:' && !isLoopback(bareHost(url.hostname)))
      throw fault(`--cors-origin: ${origin} must begin with https, since others could change its pages on their way.`)
  }
  return Object.freeze(origins.map((origin) => origin.toLowerCase()))
}

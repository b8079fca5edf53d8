/** The settings of the providers of wearables (docs/wearables.md, "Connect accounts"). One without a client is not used. */
import { bareHost, isLoopback } from '#kernel/address'
import { fault } from '#kernel/fault'
import type { ProviderAccess, WearableConfig, WearableProvider } from '#outbox/wearableServices'
import type { Environment, Option } from './options'

const defaults: Record<WearableProvider, Pick<ProviderAccess, 'apiUrl' | 'signInUrl' | 'tokenUrl'>> = {
  fitbit: {
    apiUrl: 'https://api.fitbit.com',
    signInUrl: 'https://www.fitbit.com/oauth2/authorize',
    tokenUrl: 'https://api.fitbit.com/oauth2',
  },
  garmin: {
    apiUrl: 'https://apis.garmin.com/wellness-api/rest',
    signInUrl: 'https://connect.garmin.com/oauthConfirm',
    tokenUrl: 'https://connectapi.garmin.com/oauth-service/oauth',
  },
  dexcom: {
    apiUrl: 'https://api.dexcom.com/v3',
    signInUrl: 'https://api.dexcom.com/v2/oauth2/login',
    tokenUrl: 'https://api.dexcom.com/v2/oauth2',
  },
}
const services = Object.keys(defaults) as WearableProvider[]

const secretOf = (service: WearableProvider) => `${service.toUpperCase()}_SECRET`
/** Variables without a flag. */
export const wearableSecrets = services.map(secretOf)

const optionsOf = (service: WearableProvider): Option[] => {
  const { apiUrl, signInUrl, tokenUrl } = defaults[service]
  const variable = `TRIALBOX_${service.toUpperCase()}`
  const url = (name: string, summary: string, otherwise: string): Option => ({
    flag: `${service}-${name}`,
    takes: 'url',
    summary,
    env: `${variable}_${name.toUpperCase().replaceAll('-', '_')}`,
    otherwise,
  })
  return [
    {
      flag: `${service}-client`,
      takes: 'id',
      summary: `participants can connect accounts of ${service}; its secret in TRIALBOX_${secretOf(service)}`,
      env: `${variable}_CLIENT`,
      otherwise: 'files only',
    },
    url('url', 'its interface', apiUrl),
    url('sign-in-url', 'the page on which participants sign in there', signInUrl),
    url('token-url', 'where it gives tokens', tokenUrl),
  ]
}

export const wearableOptions: readonly Option[] = services.flatMap(optionsOf)

/** @param setting the value of a flag, or of its variable */
export function wearablesOf(setting: (flag: string) => string | undefined, env: Environment): WearableConfig {
  return Object.freeze(
    Object.fromEntries(
      services.flatMap((service) => {
        const access = accessOf(service, setting, env[`TRIALBOX_${secretOf(service)}`] || undefined)
        return access ? [[service, Object.freeze(access)]] : []
      }),
    ),
  )
}

function accessOf(
  service: WearableProvider,
  setting: (flag: string) => string | undefined,
  secret: string | undefined,
): ProviderAccess | undefined {
  const client = setting(`${service}-client`)
  if (client === undefined) return undefined
  if (!/^[\x21-\x7e]{1,200}$/.test(client))
    throw fault(`--${service}-client must be at most 200 characters without spaces.`)
  if (secret === undefined) throw fault(`--${service}-client needs TRIALBOX_${secretOf(service)}.`)
  if (!/^[\x21-\x7e]{1,500}$/.test(secret))
    throw fault(`TRIALBOX_${secretOf(service)} must be at most 500 characters without spaces.`)
  const url = (name: string, otherwise: string) =>
    urlOf(`--${service}-${name}`, setting(`${service}-${name}`) ?? otherwise)
  const { apiUrl, signInUrl, tokenUrl } = defaults[service]
  return {
    client,
    secret,
    apiUrl: url('url', apiUrl),
    signInUrl: url('sign-in-url', signInUrl),
    tokenUrl: url('token-url', tokenUrl),
  }
}

function urlOf(flag: string, text: string): string {
  const url = URL.parse(text)
  if (!url || !/^https?:$/.test(url.protocol) || url.search || url.hash || url.username || url.password)
    throw fault(`${flag} must be an address such as https://api.example.org, without a query or a password.`)
  if (url.protocol === 'http:' && !isLoopback(bareHost(url.hostname)))
    throw fault(`${flag} must begin with https, since tokens would be sent unprotected.`)
  return url.href.replace(/\/+$/, '')
}

/** The providers of wearables that this server is configured for. */
import { type CallLimits, limitedServiceCaller, type ServiceCaller } from './serviceCalls'

export type WearableProvider = 'fitbit' | 'garmin' | 'dexcom'

/** How a provider is reached. All addresses are those of the configuration, without a slash at the end. */
export type ProviderAccess = Readonly<{
  client: string
  secret: string
  /** Of the interface with the data. */
  apiUrl: string
  /** The page on which people sign in. */
  signInUrl: string
  /** Where tokens are given. */
  tokenUrl: string
}>

export type WearableConfig = Readonly<Partial<Record<WearableProvider, ProviderAccess>>>

/** The same with a function that calls each within limits; undefined for those that are not configured. */
export type WearableServices = Readonly<
  Partial<Record<WearableProvider, { access: ProviderAccess; call: ServiceCaller }>>
>

/** Each configured provider with a function of its own that calls it, so that a slow one does not hold up another. */
export const wearableServices = (config: WearableConfig, limits: CallLimits): WearableServices =>
  Object.fromEntries(
    Object.entries(config).map(([service, access]) => [service, { access, call: limitedServiceCaller(limits) }]),
  )

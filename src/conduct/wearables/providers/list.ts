import type { WearableProvider } from '#outbox/wearableServices'
import { dexcom } from './dexcom'
import { fitbit } from './fitbit'
import { garmin } from './garmin'
import type { Provider } from './provider'

export const providerOf: Readonly<Record<WearableProvider, Provider>> = { fitbit, garmin, dexcom }

export const titleOf: Readonly<Record<WearableProvider, string>> = {
  fitbit: 'Fitbit',
  garmin: 'Garmin',
  dexcom: 'Dexcom',
}

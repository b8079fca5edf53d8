/** Push notifications of the browser, where it, the server and the device have them. */
import { refusalText } from '#web/participant/device/refusalText'
import { askAs } from '#web/participant/device/request'
import { isSubscribed, register, registration, subscription, unsubscribe } from '#web/participant/device/subscription'

/** `needsInstall`: Apple's devices allow them to apps of the home screen only. `off`: the server has no push notifications. */
export type PushState = 'off' | 'unsupported' | 'needsInstall' | 'denied' | 'possible' | 'on'

const hasPush = (): boolean => 'serviceWorker' in navigator && 'PushManager' in window && 'Notification' in window

/**
 * @param isKnown whether the server sends them to this device
 * @param isHomeScreenNeeded whether the device allows them only to an app that is installed, and this one is not
 */
export async function pushState(
  publicKey: string | null,
  isKnown: boolean,
  isHomeScreenNeeded: boolean,
): Promise<PushState> {
  if (publicKey === null) return 'off'
  if (isHomeScreenNeeded) return 'needsInstall'
  if (!hasPush()) return 'unsupported'
  if (Notification.permission === 'denied') return 'denied'
  if (!(await registration())) return 'unsupported'
  return isKnown && (await isSubscribed()) ? 'on' : 'possible'
}

const bytesOf = (text: string): Uint8Array<ArrayBuffer> =>
  Uint8Array.from(atob(text.replaceAll('-', '+').replaceAll('_', '/')), (each) => each.charCodeAt(0))

type PushChange = { isOn: boolean; message?: string }

/** Asks the person, and tells the server where this device is reached. Returns a sentence if it did not work. */
export async function turnOn(publicKey: string): Promise<PushChange> {
  const worker = await registration()
  if (!worker || (await Notification.requestPermission()) !== 'granted') return { isOn: false }
  try {
    // One that is left over may be for another key of the server.
    await unsubscribe()
    const subscription = await worker.pushManager.subscribe({
      userVisibleOnly: true,
      applicationServerKey: bytesOf(publicKey),
    })
    const answer = await register(subscription)
    if (answer.isDone) return { isOn: true }
    await subscription.unsubscribe()
    return { isOn: false, message: refusalText(answer) }
  } catch {
    // No way to the push service of the browser.
    return { isOn: false }
  }
}

/** Subscribes anew if the browser did for a key that the server has replaced since: it sends with that one for a time only. */
export async function renew(publicKey: string): Promise<void> {
  const key = (await subscription())?.options?.applicationServerKey
  const isOther = key && new Uint8Array(key).join() !== bytesOf(publicKey).join()
  if (isOther && Notification.permission === 'granted') await turnOn(publicKey)
}

export async function turnOff(): Promise<PushChange> {
  await askAs('PUT', '/participants/me/pushToken', { body: { pushToken: null } })
  await unsubscribe()
  return { isOn: false }
}

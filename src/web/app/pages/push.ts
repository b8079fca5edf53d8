/** Push notifications of the browser, where it, the server and the device have them. */
import { askAs } from '#web/app/device/request'

/** `needsInstall`: Apple's devices allow them to apps of the home screen only. `off`: the server has none. */
export type PushState = 'off' | 'unsupported' | 'needsInstall' | 'denied' | 'possible' | 'on'

const hasPush = (): boolean => 'serviceWorker' in navigator && 'PushManager' in window && 'Notification' in window

/** The worker of the app; undefined where it could not be registered. */
const registration = async (): Promise<ServiceWorkerRegistration | undefined> =>
  'serviceWorker' in navigator ? navigator.serviceWorker.getRegistration('/app/') : undefined

/** @param isHomeScreenNeeded whether the device allows them only to an app that is installed, and this one is not */
export async function pushState(publicKey: string | null, isHomeScreenNeeded: boolean): Promise<PushState> {
  if (publicKey === null) return 'off'
  if (isHomeScreenNeeded) return 'needsInstall'
  if (!hasPush()) return 'unsupported'
  if (Notification.permission === 'denied') return 'denied'
  const worker = await registration()
  if (!worker) return 'unsupported'
  return (await worker.pushManager.getSubscription()) ? 'on' : 'possible'
}

const bytesOf = (text: string): Uint8Array<ArrayBuffer> =>
  Uint8Array.from(atob(text.replaceAll('-', '+').replaceAll('_', '/')), (each) => each.charCodeAt(0))

/** Asks the person, and tells the server where this device is reached. Returns a sentence if it did not work. */
export async function turnOn(publicKey: string): Promise<{ isOn: boolean; message?: string }> {
  const worker = await registration()
  if (!worker || (await Notification.requestPermission()) !== 'granted') return { isOn: false }
  try {
    const subscription = await worker.pushManager.subscribe({
      userVisibleOnly: true,
      applicationServerKey: bytesOf(publicKey),
    })
    const body = { pushToken: JSON.stringify(subscription) }
    const answer = await askAs('PUT', '/participants/me/pushToken', { body })
    if (answer.isDone) return { isOn: true }
    await subscription.unsubscribe()
    return { isOn: false, message: answer.message }
  } catch {
    // No way to the push service of the browser.
    return { isOn: false }
  }
}

export async function turnOff(): Promise<void> {
  const subscription = await (await registration())?.pushManager.getSubscription()
  await askAs('PUT', '/participants/me/pushToken', { body: { pushToken: null } })
  await subscription?.unsubscribe()
}

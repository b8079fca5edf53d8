/** The subscription with which the browser of this device gets push notifications, where it has them. */
import { askAs } from './request'

/** The worker of the app; undefined where it could not be registered. */
export const registration = async (): Promise<ServiceWorkerRegistration | undefined> =>
  'serviceWorker' in navigator ? navigator.serviceWorker.getRegistration('/app/') : undefined

/** The subscription of the browser. */
export const subscription = async (): Promise<PushSubscription | null | undefined> =>
  (await registration())?.pushManager?.getSubscription()

/** Whether the browser has one. */
export const isSubscribed = async (): Promise<boolean> => Boolean(await subscription())

/**
 * Ends the subscription, so that the next user of the device does not read notifications of this person. It needs no connection: the server
 * learns of it when it next sends a notification.
 */
export async function unsubscribe(): Promise<void> {
  await (await subscription())?.unsubscribe()
}

/** Tells the server where this device is reached. */
export const register = (of: PushSubscription) =>
  askAs('PUT', '/participants/me/pushToken', { body: { pushToken: JSON.stringify(of) } })

/** Notifications go on in a new session of the same person: the server forgot the device with the last one. */
export async function registerAgain(): Promise<void> {
  const found = await subscription()
  if (found) await register(found)
}

/** The device to which a participant's push notifications go. */
import { operation } from '#http/operation'
import { refuse } from '#kernel/problem'
import { type Reason, reason } from '#kernel/refusals/reason'
import { readSubscription, serviceOf } from '#outbox/push'
import { orNull, shape, text } from '#wire/schema'
import { refuseOnSharedDevice } from './rules'
import { self } from './scope'
import { savePushToken } from './store'

const pushTokenRefusal = (problem: Reason) => refuse.invalid({ pushToken: [problem] })

const registerDevice = operation({
  id: 'setPushToken',
  method: 'PUT',
  path: '/participants/me/pushToken',
  summary: 'Register the device for push notifications',
  description:
    '`pushToken` is the JSON text of the browser’s PushSubscription, created with the `pushPublicKey` of GET /participants/trial; null removes it. Notifications go to the device that was registered last, until its session ends.',
  who: 'participant',
  scope: self,
  needs: 'nothing',
  logs: 'registerPushDevice',
  body: shape({ pushToken: orNull(text(1, 2000)) }),
  returns: shape({}),
  run: ({ db, services, participant, caller, body: { pushToken }, record }) => {
    if (pushToken === null) {
      savePushToken(db, participant._id, null, caller.token)
      record({ event: { service: null } })
      return {}
    }
    refuseOnSharedDevice(caller)
    const subscription = readSubscription(pushToken)
    if (!subscription) throw pushTokenRefusal(reason('notSubscription'))
    if (!services.push) throw refuse.bad('pushOff')
    if (!services.push.accepts(subscription.endpoint)) throw pushTokenRefusal(reason('otherPushService'))
    savePushToken(db, participant._id, JSON.stringify(subscription), caller.token)
    record({ event: { service: serviceOf(subscription) } })
    return {}
  },
})

export const pushOperations = [registerDevice] as const

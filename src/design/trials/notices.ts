import type { Trial } from './store'

/** The default title of messages to participants: the trial's setting, else its name. */
export const notificationTitle = ({ settings, name }: Pick<Trial, 'settings' | 'name'>): string =>
  (settings.defaultNotificationTitle as string | null | undefined) || name

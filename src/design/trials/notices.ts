import type { Trial } from './store'

/** What messages to participants are headed with where nothing else is said: the trial's setting, else its name. */
export const notificationTitle = ({ settings, name }: Pick<Trial, 'settings' | 'name'>): string =>
  (settings.defaultNotificationTitle as string | null | undefined) || name

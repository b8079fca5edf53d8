import type { access as en } from '#kernel/refusals/access'
import type { TranslationOf } from '../translated'

/** Refusals about permissions, limits and features, in German. */
export const access = {
  keyReadOnly: 'Dieser API-Schlüssel darf nur lesen: Er kann GET-Anfragen senden und nichts ändern.',
  keyLimitedToTrials: 'Dieser API-Schlüssel ist auf einzelne Studien beschränkt und hat keinen Zugang zu Teams.',
  permissionsChanged: 'Ihre Berechtigungen haben sich geändert, seit dieser Vorgang begonnen hat.',
} as const satisfies TranslationOf<typeof en>

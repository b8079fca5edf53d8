/** The texts to the holder of an account, whatever the trial, in German. */
export const accountTexts = {
  'account.invitation.subject': 'Ihr Zugang zu {team}',
  'account.invitation.body':
    'Guten Tag {name},\n\nSie sind zu {team} eingeladen. Bitte legen Sie innerhalb von {hours} Stunden hier Ihr Passwort fest:\n{url}\n',
  'account.joined.subject': 'Sie sind jetzt Mitglied von {team}',
  'account.joined.body':
    'Guten Tag {name},\n\nSie sind jetzt Mitglied von {team}. Melden Sie sich mit Ihrem Konto an:\n{url}\n',
  'account.reset.subject': 'Neues Passwort',
  'account.reset.body':
    'Guten Tag {name},\n\njemand, vermutlich Sie selbst, hat ein neues Passwort angefordert. Bitte legen Sie es innerhalb einer Stunde hier fest:\n{url}\n\n' +
    'Wenn Sie das nicht waren, brauchen Sie nichts zu tun.\n',
  'account.newAddress.subject': 'Ihr Code: {code}',
  'account.newAddress.body':
    'Guten Tag {name},\n\njemand, vermutlich Sie selbst, möchte diese Adresse für das Konto {email} benutzen. Der Code ist {code}. Er gilt {minutes} Minuten.\n\nWenn Sie das nicht waren, brauchen Sie nichts zu tun.\n',
  'account.addressChanged.subject': 'Ihr Konto hat eine neue Adresse',
  'account.addressChanged.body':
    'Guten Tag {name},\n\ndie E-Mail-Adresse Ihres Kontos ist jetzt {email}. Damit melden Sie sich an, und E-Mails gehen dorthin. Alle anderen Sitzungen sind beendet.\n\nWenn Sie das nicht waren, benachrichtigen Sie sofort die Verwaltung des Servers.\n',
  'account.passwordChanged.subject': 'Ihr Passwort wurde geändert',
  'account.passwordChanged.body':
    'Guten Tag {name},\n\ndas Passwort Ihres Kontos wurde geändert. Alle anderen Sitzungen sind beendet.\n\nWenn Sie das nicht waren, fordern Sie auf der Anmeldeseite sofort ein neues Passwort an und benachrichtigen Sie die Verwaltung des Servers.\n',
  'account.twoStepOff.subject': 'Die Anmeldung in zwei Schritten wurde ausgeschaltet',
  'account.twoStepOff.body':
    'Guten Tag {name},\n\ndie Anmeldung in zwei Schritten wurde für Ihr Konto ausgeschaltet: Das Passwort allein genügt jetzt.\n\nWenn Sie das nicht waren, ändern Sie sofort Ihr Passwort und benachrichtigen Sie die Verwaltung des Servers.\n',
  'account.recoveryCode.subject': 'Ein Wiederherstellungscode wurde benutzt',
  'account.recoveryCode.body':
    'Guten Tag {name},\n\njemand, vermutlich Sie selbst, hat sich mit einem Wiederherstellungscode bei Ihrem Konto angemeldet. Verbleibende Codes: {left}.\n\nWenn Sie das nicht waren, ändern Sie sofort Ihr Passwort und benachrichtigen Sie die Verwaltung des Servers.\n',
  'account.clock.subject': 'Die Uhr des Servers hat einen Sprung gemacht',
  'account.clock.body':
    'Die Uhr des Rechners, auf dem Trialbox läuft ({url}), ist von {from} auf {to} gesprungen. Der Server rechnet mit seiner eigenen Zeit weiter. Er arbeitet, sendet aber bis {until} keine Erinnerungen und entfernt nichts; danach übernimmt er die neue Zeit, wenn die Uhr bis dahin bei ihr geblieben ist.\n\nIst die neue Zeit richtig? Mit „trialbox clock accept“ übernimmt der Server sie sofort. Ist sie falsch? Stellen Sie die Uhr vorher richtig.\n',
  'account.clock.followed':
    'Die Uhr des Rechners, auf dem Trialbox läuft ({url}), ist von {from} auf {to} gesprungen. Der Server übernimmt die neue Zeit, weil er gerade erst gestartet war. Bitte prüfen Sie, ob die Uhr jetzt richtig geht. Was vorher geschrieben wurde, trägt die frühere Zeit.\n',
}

/** The texts to the holder of an account, whatever the trial, in French. */
export const accountTexts = {
  'account.invitation.subject': 'Votre compte pour {team}',
  'account.invitation.body':
    'Bonjour {name},\n\nvous êtes invité(e) à rejoindre {team}. Merci de choisir votre mot de passe ici dans les {hours} heures :\n{url}\n',
  'account.joined.subject': 'Vous avez rejoint {team}',
  'account.joined.body':
    'Bonjour {name},\n\nvous êtes maintenant membre de {team}. Connectez-vous avec votre compte :\n{url}\n',
  'account.reset.subject': 'Nouveau mot de passe',
  'account.reset.body':
    'Bonjour {name},\n\nquelqu’un, probablement vous, a demandé un nouveau mot de passe. Merci de le choisir ici dans l’heure qui suit :\n{url}\n\n' +
    'Si ce n’était pas vous, vous n’avez rien à faire.\n',
  'account.newAddress.subject': 'Votre code : {code}',
  'account.newAddress.body':
    'Bonjour {name},\n\nquelqu’un, probablement vous, souhaite utiliser cette adresse pour le compte {email}. Le code est {code}. Il est valable {minutes} minutes.\n\nSi ce n’était pas vous, vous n’avez rien à faire.\n',
  'account.addressChanged.subject': 'Votre compte a une nouvelle adresse',
  'account.addressChanged.body':
    'Bonjour {name},\n\nl’adresse e-mail de votre compte est maintenant {email}. Vous vous connectez avec elle, et les e-mails y sont envoyés. Toutes les autres sessions ont pris fin.\n\nSi ce n’était pas vous, prévenez tout de suite la personne qui gère le serveur.\n',
  'account.passwordChanged.subject': 'Votre mot de passe a été changé',
  'account.passwordChanged.body':
    'Bonjour {name},\n\nle mot de passe de votre compte a été changé. Toutes les autres sessions ont pris fin.\n\nSi ce n’était pas vous, demandez tout de suite un nouveau mot de passe sur la page de connexion et prévenez la personne qui gère le serveur.\n',
  'account.twoStepOff.subject': 'La connexion en deux étapes a été désactivée',
  'account.twoStepOff.body':
    'Bonjour {name},\n\nla connexion en deux étapes a été désactivée pour votre compte : le mot de passe seul suffit désormais.\n\nSi ce n’était pas vous, changez tout de suite votre mot de passe et prévenez la personne qui gère le serveur.\n',
  'account.recoveryCode.subject': 'Un code de secours a été utilisé',
  'account.recoveryCode.body':
    'Bonjour {name},\n\nquelqu’un, probablement vous, s’est connecté à votre compte avec un code de secours. Codes restants : {left}.\n\nSi ce n’était pas vous, changez tout de suite votre mot de passe et prévenez la personne qui gère le serveur.\n',
  'account.clock.subject': 'L’horloge du serveur a fait un saut',
  'account.clock.body':
    'L’horloge de la machine sur laquelle Trialbox fonctionne ({url}) est passée de {from} à {to}. Le serveur continue avec sa propre heure. Il fonctionne, mais n’envoie aucun rappel et ne supprime rien jusqu’à {until} ; ensuite, il suit la nouvelle heure si elle s’est maintenue.\n\nLa nouvelle heure est-elle juste ? Lancez « trialbox clock accept » et le serveur la suit aussitôt. Est-elle fausse ? Remettez l’horloge à l’heure avant ce moment.\n',
  'account.clock.followed':
    'L’horloge de la machine sur laquelle Trialbox fonctionne ({url}) est passée de {from} à {to}. Le serveur suit la nouvelle heure, car il venait de démarrer. Vérifiez que l’horloge est juste maintenant. Ce qui a été écrit avant porte l’heure précédente.\n',
}

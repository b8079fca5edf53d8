/** The texts to the administrators of a trial about what was deleted, and about acts that need a second person, in French. */
export const deletionTexts = {
  'deletion.subject': 'Supprimé dans {trial} : {what}',
  'deletion.body':
    '{email} a supprimé dans {trial} : {what}.\n\nLes données supprimées sont conservées, cachées, jusqu’au {until}. Jusque-là, un administrateur peut les restaurer. Si cela n’aurait pas dû arriver, restaurez-les et retirez l’accès de ce compte.\n',
  'deletion.purged':
    '{email} a supprimé dans {trial} : {what}.\n\nL’équipe ne conserve rien de ce qui est supprimé : la restauration est impossible.\n',
  'deletion.purgeAsked.subject': 'Confirmez une suppression définitive dans {trial}',
  'deletion.purgeAsked.body':
    '{email} demande que des données supprimées dans {trial} soient effacées définitivement avant l’échéance : {what}.\n\nEnsuite, la restauration sera impossible. Si vous êtes d’accord, confirmez sur la page de l’étude ; sinon, ne faites rien.\n',
  'second.subject': 'Une deuxième personne est nécessaire dans {trial}',
  'second.body':
    '{email} demande ceci dans {trial} : {what}.\n\nCela n’est fait que si une autre personne ayant la même autorisation le confirme avant le {until}. Si vous êtes d’accord, confirmez ; sinon, refusez ou ne faites rien.\n',
  'second.unlocking': 'lever un verrou',
  'second.unblinding': 'lever l’aveugle de l’étude',
  'second.erasure': 'effacer des informations personnelles',
  'second.setting': 'exiger une deuxième personne pour moins d’opérations',
  'deletion.trial': 'toute l’étude',
  'deletion.participant': 'participants à l’étude ({number})',
  'deletion.response': 'réponses ({number})',
  'deletion.site': 'centres ({number})',
  'deletion.file': 'fichiers du dossier permanent de l’essai ({number})',
}

_commonplace() {
  local word="${COMP_WORDS[COMP_CWORD]}" before="${COMP_WORDS[COMP_CWORD-1]}" typed="" offer="" skip="" at
  for ((at = 1; at < COMP_CWORD; at++)); do
    case "$skip${COMP_WORDS[at]}" in
      @SHARED@) skip=x ;;
      x*) skip="" ;;
      -*) ;;
      *) typed="${typed:+$typed }${COMP_WORDS[at]}" ;;
    esac
  done
  case "$typed" in
@CASES@
  esac
  case "$before" in @FILES@) COMPREPLY=($(compgen -f -- "$word")); return ;; esac
  COMPREPLY=($(compgen -W "$offer" -- "$word"))
}
complete -F _commonplace commonplace cpl

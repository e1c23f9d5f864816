_commonplace() {
  local before="${words[CURRENT-1]}" typed="" offer="" skip="" at
  for ((at = 2; at < CURRENT; at++)); do
    case "$skip${words[at]}" in
      @SHARED@) skip=x ;;
      x*) skip="" ;;
      -*) ;;
      *) typed="${typed:+$typed }${words[at]}" ;;
    esac
  done
  case "$typed" in
@CASES@
  esac
  case "$before" in @FILES@) _files; return ;; esac
  compadd -- ${=offer}
}
compdef _commonplace commonplace cpl

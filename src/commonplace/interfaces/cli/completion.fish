function __commonplace_typed
  set -l words (commandline -opc)
  set -e words[1]
  set -l typed
  set -l skip no
  for word in $words
    if test $skip = yes
      set skip no
      continue
    end
    switch $word
      case @SHARED@
        set skip yes
      case '-*'
      case '*'
        set -a typed $word
    end
  end
  echo "$typed"
end
function __commonplace_at
  set -l typed (__commonplace_typed)
  test "$typed" = "$argv"; or string match -q -- "$argv *" "$typed"
end
complete -c commonplace -f
complete -c cpl -w commonplace

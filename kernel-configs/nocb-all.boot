rcu_nocbs=0-@LAST_CPU@
